"""Settings as `django-admin startproject` writes them, with the product's tables, database and keys."""

from config.settings import ALLOWED_HOSTS, AUTH_USER_MODEL, DATABASES, SECRET_KEY, USE_TZ

__all__ = ["ALLOWED_HOSTS", "AUTH_USER_MODEL", "DATABASES", "SECRET_KEY", "USE_TZ"]

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "knox",
    "core",
    "annotation",
    "study",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "benchmarks.serving.bare.urls"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
