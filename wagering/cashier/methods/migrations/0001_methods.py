
import django.db.models.deletion
import uuid
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('games', '0004_cube'),
    ]

    operations = [
        migrations.CreateModel(
            name='Method',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('provider', models.CharField(max_length=20)),
                ('token', models.CharField(max_length=200)),
                ('brand', models.CharField(max_length=40)),
                ('last4', models.CharField(max_length=4)),
                ('can_receive', models.BooleanField()),
                ('holder', models.BinaryField(blank=True, null=True)),
                ('iban', models.BinaryField(blank=True, null=True)),
                ('iban_digest', models.CharField(blank=True, default='', max_length=64)),
                ('added_at', models.DateTimeField()),
                ('used_at', models.DateTimeField(blank=True, null=True)),
                ('blocked_at', models.DateTimeField(blank=True, null=True)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='payment_methods', to='games.player')),
            ],
            options={
                'ordering': ('added_at', 'id'),
                'indexes': [models.Index(fields=['provider', 'token'], name='method_by_token'), models.Index(condition=models.Q(('iban_digest', ''), _negated=True), fields=['iban_digest'], name='method_by_iban')],
                'constraints': [models.UniqueConstraint(fields=('player', 'provider', 'token'), name='player_has_a_method_once'), models.CheckConstraint(condition=models.Q(('last4__regex', '^[0-9A-Z]{0,4}$')), name='method_shows_four_at_most'), models.CheckConstraint(condition=models.Q(('token', ''), _negated=True), name='method_has_a_token')],
            },
        ),
    ]
