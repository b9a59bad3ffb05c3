from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('settlement', '0006_owed_by_rulings'),
        ('stakes', '0004_sessions'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='adjudication',
            name='adjudication_has_a_cause',
        ),
        migrations.RemoveConstraint(
            model_name='adjudication',
            name='adjudication_has_a_loser_unless_split',
        ),
        migrations.AlterField(
            model_name='adjudication',
            name='cause',
            field=models.CharField(choices=[('abandoned', 'Abandoned'), ('forfeited', 'Forfeited'), ('timed_out', 'Timed Out'), ('service', "the service's fault")], max_length=9),
        ),
        migrations.AddConstraint(
            model_name='adjudication',
            constraint=models.CheckConstraint(condition=models.Q(('cause__in', ['abandoned', 'forfeited', 'timed_out', 'service'])), name='adjudication_has_a_cause'),
        ),
        migrations.AddConstraint(
            model_name='adjudication',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('cause__in', ['abandoned', 'service']), ('points', 0), ('win', ''), ('winner', None)), models.Q(('cause__in', ['forfeited', 'timed_out']), ('points__gte', 1), ('winner__in', [1, 2])), _connector='OR'), name='adjudication_has_a_loser_unless_split'),
        ),
    ]
