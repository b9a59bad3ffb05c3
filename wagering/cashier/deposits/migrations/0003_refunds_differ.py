from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('deposits', '0002_deposits_are_final'),
    ]

    operations = [
        migrations.AddField(
            model_name='refund',
            name='differs',
            field=models.CharField(blank=True, default='', help_text='what the provider tells of, if it is another amount than ours', max_length=100),
        ),
    ]
