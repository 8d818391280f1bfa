"""Settings of the product that is measured. An older checkout finds this app on its PYTHONPATH, without its package."""

from config.settings import *  # noqa: F403
from config.settings import INSTALLED_APPS

INSTALLED_APPS = [*INSTALLED_APPS, "starting_app"]
ROOT_URLCONF = "starting_app.urls"
