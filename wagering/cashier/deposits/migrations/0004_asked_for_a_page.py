
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('deposits', '0003_refunds_differ'),
    ]

    operations = [
        migrations.AlterField(
            model_name='deposit',
            name='asked_at',
            field=models.DateTimeField(blank=True, help_text='when the provider was last asked for a page', null=True),
        ),
    ]
