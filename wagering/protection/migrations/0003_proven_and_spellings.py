
import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


PROVE = """
UPDATE protection_identity SET proven = ARRAY[digest], proven_country = country WHERE state = 'verified';
"""

FINAL = """
DROP TRIGGER exclusion_is_final ON protection_exclusion;
CREATE TRIGGER exclusion_is_final BEFORE UPDATE OR DELETE ON protection_exclusion
    FOR EACH ROW EXECUTE FUNCTION protection_is_final(
        'lift_asked_at', 'lifts_at', 'disowned_by_id', 'disowned_reason', 'disowned_at', 'released_by_id', 'released_at'
    );
"""

FINAL_BEFORE = """
DROP TRIGGER exclusion_is_final ON protection_exclusion;
CREATE TRIGGER exclusion_is_final BEFORE UPDATE OR DELETE ON protection_exclusion
    FOR EACH ROW EXECUTE FUNCTION protection_is_final('lift_asked_at', 'lifts_at');
"""


class Migration(migrations.Migration):

    dependencies = [
        ('protection', '0002_words_are_final'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='exclusion',
            name='disowned_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='exclusion',
            name='disowned_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='exclusion',
            name='disowned_reason',
            field=models.TextField(blank=True),
        ),
        migrations.AddField(
            model_name='exclusion',
            name='released_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='exclusion',
            name='released_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='identity',
            name='proven',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=64), blank=True, default=list, size=None),
        ),
        migrations.AddField(
            model_name='identity',
            name='proven_country',
            field=models.CharField(blank=True, max_length=2),
        ),
        migrations.AddField(
            model_name='identity',
            name='spellings',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=64), blank=True, default=list, size=None),
        ),
        migrations.AddField(
            model_name='registerentry',
            name='spellings',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=64), blank=True, default=list, size=None),
        ),
        migrations.AddIndex(
            model_name='identity',
            index=django.contrib.postgres.indexes.GinIndex(fields=['spellings'], name='identity_by_spellings'),
        ),
        migrations.AddIndex(
            model_name='identity',
            index=django.contrib.postgres.indexes.GinIndex(fields=['proven'], name='identity_by_proven'),
        ),
        migrations.AddIndex(
            model_name='registerentry',
            index=django.contrib.postgres.indexes.GinIndex(fields=['spellings'], name='register_by_spellings'),
        ),
        migrations.AddConstraint(
            model_name='exclusion',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('disowned_at', None), ('disowned_by', None), ('disowned_reason', ''), ('released_at', None), ('released_by', None)), models.Q(models.Q(('disowned_reason', ''), _negated=True), ('disowned_at__isnull', False), ('disowned_by__isnull', False), ('released_at', None), ('released_by', None)), models.Q(models.Q(('disowned_reason', ''), _negated=True), models.Q(('released_by', models.F('disowned_by')), _negated=True), ('disowned_at__isnull', False), ('disowned_by__isnull', False), ('released_at__isnull', False), ('released_by__isnull', False)), _connector='OR'), name='exclusion_is_released_by_another'),
        ),
        migrations.RunSQL(FINAL, FINAL_BEFORE),
        migrations.RunSQL(PROVE, migrations.RunSQL.noop),
    ]
