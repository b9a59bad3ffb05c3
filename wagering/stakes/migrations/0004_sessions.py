"""A player's word that a room's server may stake comes here from the seamless wallet. The table stays where it is."""

import uuid

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0003_tables_and_records_are_final'),
        ('seamless', '0002_rounds_are_final'),
        ('stakes', '0003_what_leaving_means'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name='Session',
                    fields=[
                        ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                        ('currency', models.CharField(max_length=4)),
                        ('digest', models.CharField(max_length=64, unique=True)),
                        ('opened_at', models.DateTimeField()),
                        ('expires_at', models.DateTimeField()),
                        ('ended_at', models.DateTimeField(blank=True, null=True)),
                        ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.player')),
                        ('room', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.room')),
                    ],
                    options={
                        'db_table': 'seamless_session',
                        'ordering': ('-opened_at',),
                    },
                ),
            ],
        ),
    ]
