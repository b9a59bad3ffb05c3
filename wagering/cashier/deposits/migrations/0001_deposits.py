
import django.db.models.deletion
import ledger.fields
import uuid
from decimal import Decimal
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('games', '0004_cube'),
        ('methods', '0001_methods'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Deposit',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('provider', models.CharField(max_length=20)),
                ('currency', models.CharField(max_length=4)),
                ('amount', ledger.fields.PlainNumeric()),
                ('state', models.CharField(choices=[('created', 'Created'), ('processing', 'Processing'), ('succeeded', 'Succeeded'), ('failed', 'Failed'), ('refunded', 'Refunded'), ('disputed', 'Disputed')], default='created', max_length=10)),
                ('ours', models.CharField(max_length=40, unique=True)),
                ('theirs', models.CharField(blank=True, default='', max_length=200)),
                ('paid', ledger.fields.PlainNumeric(blank=True, null=True)),
                ('paid_currency', models.CharField(blank=True, default='', max_length=4)),
                ('reason', models.CharField(blank=True, default='', max_length=500)),
                ('return_url', models.CharField(blank=True, default='', max_length=500)),
                ('pay_at', models.CharField(blank=True, default='', help_text="the provider's page", max_length=2000)),
                ('created_at', models.DateTimeField()),
                ('asked_at', models.DateTimeField(blank=True, help_text='when the provider was first asked', null=True)),
                ('succeeded_at', models.DateTimeField(blank=True, null=True)),
                ('looks', models.PositiveSmallIntegerField(default=0)),
                ('look_at', models.DateTimeField(blank=True, null=True)),
                ('method', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='deposits', to='methods.method')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='deposits', to='games.player')),
            ],
            options={
                'ordering': ('-created_at', '-id'),
                'indexes': [models.Index(fields=['player', '-created_at'], name='deposits_of_a_player'), models.Index(condition=models.Q(('look_at__isnull', False)), fields=['look_at'], name='deposits_to_look_at')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('theirs', ''), _negated=True), fields=('provider', 'theirs'), name='payment_is_one_deposit'), models.CheckConstraint(condition=models.Q(('state__in', ['created', 'processing', 'succeeded', 'failed', 'refunded', 'disputed'])), name='deposit_is_in_a_state'), models.CheckConstraint(condition=models.Q(('amount__gt', 0), ('amount__lt', Decimal('1000000000000'))), name='deposit_amount_is_an_amount'), models.CheckConstraint(condition=models.Q(models.Q(('paid', None), ('paid_currency', '')), models.Q(('paid__gte', 0), ('paid__lt', Decimal('1000000000000')), ('paid_currency__isnull', False), models.Q(('paid_currency', ''), _negated=True)), _connector='OR'), name='deposit_paid_is_an_amount'), models.CheckConstraint(condition=models.Q(models.Q(('state__in', ['created', 'processing', 'failed']), ('succeeded_at', None)), models.Q(('paid__gt', 0), ('paid_currency', models.F('currency')), ('state__in', ['succeeded', 'refunded', 'disputed']), ('succeeded_at__isnull', False)), _connector='OR'), name='deposit_is_credited_as_paid')],
            },
        ),
        migrations.CreateModel(
            name='InboxEvent',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('provider', models.CharField(max_length=20)),
                ('event_id', models.CharField(max_length=200)),
                ('kind', models.CharField(max_length=100)),
                ('body', models.BinaryField()),
                ('tells', models.JSONField(blank=True, null=True)),
                ('received_at', models.DateTimeField()),
                ('done_at', models.DateTimeField(blank=True, null=True)),
                ('outcome', models.CharField(blank=True, default='', max_length=200)),
            ],
            options={
                'ordering': ('-received_at', '-id'),
                'indexes': [models.Index(condition=models.Q(('done_at', None)), fields=['received_at'], name='inbox_that_waits')],
                'constraints': [models.UniqueConstraint(fields=('provider', 'event_id'), name='event_comes_in_once'), models.CheckConstraint(condition=models.Q(models.Q(('done_at', None), ('outcome', '')), models.Q(('done_at__isnull', False), models.Q(('outcome', ''), _negated=True)), _connector='OR'), name='event_is_done_with_an_outcome')],
            },
        ),
        migrations.CreateModel(
            name='Refund',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('amount', ledger.fields.PlainNumeric()),
                ('currency', models.CharField(max_length=4)),
                ('state', models.CharField(choices=[('requested', 'Requested'), ('succeeded', 'Succeeded'), ('failed', 'Failed')], default='requested', max_length=10)),
                ('ours', models.CharField(max_length=40, unique=True)),
                ('theirs', models.CharField(blank=True, default='', max_length=200)),
                ('owed', ledger.fields.PlainNumeric(default=0)),
                ('reason', models.CharField(max_length=500)),
                ('failed_because', models.CharField(blank=True, default='', max_length=500)),
                ('asked_at', models.DateTimeField()),
                ('done_at', models.DateTimeField(blank=True, null=True)),
                ('looks', models.PositiveSmallIntegerField(default=0)),
                ('look_at', models.DateTimeField(blank=True, null=True)),
                ('asked_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('deposit', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='refunds', to='deposits.deposit')),
            ],
            options={
                'ordering': ('-asked_at', '-id'),
                'indexes': [models.Index(condition=models.Q(('look_at__isnull', False)), fields=['look_at'], name='refunds_to_look_at')],
                'constraints': [models.CheckConstraint(condition=models.Q(('state__in', ['requested', 'succeeded', 'failed'])), name='refund_is_in_a_state'), models.CheckConstraint(condition=models.Q(('amount__gt', 0), ('amount__lt', Decimal('1000000000000'))), name='refund_amount_is_an_amount'), models.CheckConstraint(condition=models.Q(('owed__gte', 0), ('owed__lte', models.F('amount'))), name='refund_owes_a_part_of_it'), models.CheckConstraint(condition=models.Q(models.Q(('done_at', None), ('state', 'requested')), models.Q(models.Q(('state', 'requested'), _negated=True), ('done_at__isnull', False)), _connector='OR'), name='refund_is_done_or_waits')],
            },
        ),
    ]
