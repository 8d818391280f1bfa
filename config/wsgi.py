"""Web application that gunicorn serves."""

import os

from django.core.wsgi import get_wsgi_application

from config.earlier_version import refuse_an_earlier_version
from config.loading import load, warm

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = get_wsgi_application()
refuse_an_earlier_version()
load()
warm()
