"""Sessions belong to the stakes now, with the very table."""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('seamless', '0002_rounds_are_final'),
        ('stakes', '0004_sessions'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(state_operations=[migrations.DeleteModel(name='Session')]),
    ]
