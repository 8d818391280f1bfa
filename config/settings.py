"""Settings. Everything that differs between machines comes from the environment (see config/env.py).

Environment: DATA_DIR, DATABASE_URL, CELERY_BROKER_URL, SECRET_KEY, DEBUG, ALLOWED_HOSTS, CSRF_TRUSTED_ORIGINS,
HTTPS, JOB_MEMORY, TRAINER, LOG_FORMAT, PUBLIC_URL, CHAT_SERVERS, WEIGHTS_DIR; PORT and WORKERS are read by
config/gunicorn.py, and the keys of the chat servers by study/actions/runs/chat_server.py, when it asks them.
"""

import os
from pathlib import Path

import dj_database_url
from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from annotation.domain.workflow import ItemState
from config import env, logs
from study.domain.survey.phases import StudyState

BASE_DIR = Path(__file__).resolve().parent.parent
os.umask(env.OWNER_ALONE)
DATA_DIR = env.folder("DATA_DIR", default=BASE_DIR / "var")

DEBUG = env.flag("DEBUG", default=False)
SECRET_KEY = env.secret("SECRET_KEY", kept_in=DATA_DIR / "secret_key")
ALLOWED_HOSTS = env.names("ALLOWED_HOSTS", default="localhost,127.0.0.1,[::1]")
CSRF_TRUSTED_ORIGINS = env.names("CSRF_TRUSTED_ORIGINS", default="")
# Address at which participants reach the product; empty: the address of its web process.
PUBLIC_URL = env.url("PUBLIC_URL", default="", schemes=("http", "https"))

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "axes",
    "csp",
    "django_filters",
    "drf_spectacular",
    "knox",
    "rest_framework",
    "core",
    "annotation",
    "study",
    "config",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.compression.CompressionMiddleware",  # after it: static files are compressed when they are collected
    "config.middleware.NoStoreMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "config.middleware.PersonMiddleware",
    "config.middleware.LanguageMiddleware",
    "config.middleware.LocalTimeMiddleware",
    "config.middleware.SamePersonMiddleware",
    "config.nearest_page.NearestPageMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": False,
        "OPTIONS": {
            "loaders": [
                ("django.template.loaders.cached.Loader", ["django.template.loaders.filesystem.Loader"]),
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "core.presenters.navigation.navigation",
            ],
            "builtins": ["core.templatetags.page", "annotation.templatetags.project"],
        },
    },
]

# ---- database -------------------------------------------------------------------------------------------------------
DATABASE_URL = env.url(
    "DATABASE_URL", default=f"sqlite:///{DATA_DIR / 'colloquy.sqlite3'}", schemes=("sqlite", "postgres", "postgresql")
)
# Checked before use: connections that a restart of the server has cut break no page.
DATABASES = {"default": dj_database_url.parse(DATABASE_URL, conn_health_checks=True)}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # WAL with IMMEDIATE, and writers who take turns: many at once without one "database is locked" (docs/adr/0002).
    # secure_delete: a withdrawn person's rows are overwritten, not only unlinked.
    DATABASES["default"]["ENGINE"] = "config.sqlite3"
    DATABASES["default"]["CONN_MAX_AGE"] = None  # opening the file costs more than what most requests ask of it
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA secure_delete=ON;",
    }
else:
    DATABASES["default"]["OPTIONS"] = {
        # The pool tries to connect again for no longer than a page waits; the next page begins at once.
        "pool": {"min_size": 1, "max_size": 16, "timeout": 20, "reconnect_timeout": 20},
        "prepare_threshold": 3,  # for core/models/sql.py
    }

# ---- jobs -----------------------------------------------------------------------------------------------------------
CELERY_BROKER_URL = env.url(
    "CELERY_BROKER_URL", default="filesystem://localhost", schemes=("filesystem", "redis", "rediss")
)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_IGNORE_RESULT = True  # the job's row is the result
CELERY_TASK_ACKS_LATE = False
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BEAT_SCHEDULE = {
    "sweep-jobs": {"task": "core.tasks.sweep_jobs", "schedule": 15.0},
    "expire-assignments": {"task": "annotation.tasks.expire_assignments", "schedule": 60.0},
    "close-overdue-surveys": {"task": "study.tasks.close_overdue_surveys", "schedule": 15.0},
    "close-due-studies": {"task": "study.tasks.close_due_studies", "schedule": 60.0},
    "delete-personal-data": {"task": "study.tasks.delete_personal_data", "schedule": 60.0},
}
# Megabytes that a job may take for itself; what needs more ends, and says so.
JOB_MEMORY = env.number("JOB_MEMORY", default=4096, lowest=256, highest=1_000_000) * 1024 * 1024
# The only servers that a run may ask, by name: no one can make the product call an address of their own.
CHAT_SERVERS = env.servers("CHAT_SERVERS")
TRAINER = env.flag("TRAINER", default=True)  # read by config/processes.py: whether this machine runs trainings
# Folders of pre-trained weights that pages offer, each by its name. It may be missing, and is only read.
WEIGHTS_DIR = Path(env.text("WEIGHTS_DIR", str(DATA_DIR / "weights"))).resolve()
if CELERY_BROKER_URL.startswith("filesystem"):
    _queue = DATA_DIR / "broker"
    (_queue / "control").mkdir(parents=True, exist_ok=True)
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(_queue),
        "data_folder_out": str(_queue),
        "control_folder": str(_queue / "control"),
        "polling_interval": 0.05,
    }

# ---- people ---------------------------------------------------------------------------------------------------------
AUTH_USER_MODEL = "core.User"
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "django.contrib.auth.backends.ModelBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ("username", "name")},
    },
    {"NAME": "config.passwords.LengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "signin"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "signin"
SESSION_ENGINE = "config.sessions"
SESSION_COOKIE_AGE = 60 * 60 * 24 * 14

# Failures are counted by user name, or by device cookie (docs/adr/0021): no network address is kept anywhere.
AXES_FAILURE_LIMIT = "core.selectors.locks.failures_allowed"
AXES_USERNAME_CALLABLE = "core.presenters.device_cookies.attempts_key"
AXES_COOLOFF_TIME = 0.25  # hours
AXES_LOCKOUT_PARAMETERS = ["username"]
AXES_RESET_ON_SUCCESS = True
AXES_CLIENT_IP_CALLABLE = "config.logs.no_address"
AXES_LOCKOUT_CALLABLE = "core.views.account.locked_out"
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False  # no one can prolong another person's lock
AXES_DISABLE_ACCESS_LOG = True
AXES_SENSITIVE_PARAMETERS = ["username", "password"]
AXES_VERBOSE = False
SILENCED_SYSTEM_CHECKS = ["axes.W006"]  # it asks for the address, which is not kept

# ---- security -------------------------------------------------------------------------------------------------------
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "media-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "manifest-src": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
CSRF_FAILURE_VIEW = "core.views.errors.stale_form"
if env.flag("HTTPS", default=False):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    SECURE_HSTS_SECONDS = 60 * 60 * 24 * 365
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = True

DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024  # forms; files stream to disk
DATA_UPLOAD_MAX_NUMBER_FIELDS = 500
DATA_UPLOAD_MAX_NUMBER_FILES = 1
IMPORT_MAX_BYTES = 256 * 1024 * 1024

# ---- language and time ----------------------------------------------------------------------------------------------
LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("zh-hans", _("Chinese"))]
LOCALE_PATHS = [BASE_DIR / "config" / "locale"]
FORMAT_MODULE_PATH = "config.formats"
USE_I18N = True
USE_THOUSAND_SEPARATOR = True
TIME_ZONE = "UTC"
USE_TZ = True

# ---- files ----------------------------------------------------------------------------------------------------------
STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
MEDIA_ROOT = DATA_DIR / "media"
FILE_UPLOAD_PERMISSIONS = 0o600
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "config.static.HashedStaticFiles"},
}

# ---- API ------------------------------------------------------------------------------------------------------------
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "core.api.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PAGINATION_CLASS": "core.api.pagination.Newest",
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_SCHEMA_CLASS": "core.api.schema.Described",
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "core.api.negotiation.AlwaysAnswered",
}
REST_KNOX = {"TOKEN_TTL": None, "AUTH_HEADER_PREFIX": "Token"}
SPECTACULAR_SETTINGS = {
    "TITLE": "Colloquy",
    "DESCRIPTION": "Projects and the work in them, agreement, releases, corpora, questions, studies, results and "
    "runs of models. Predictions can be sent; all else is read.",
    "ENUM_NAME_OVERRIDES": {
        # The values as the fields of the models list them; by the names of the classes they would not be found.
        "ItemState": [(state.value, state.value) for state in ItemState],
        "StudyState": [(state.value, state.value) for state in StudyState],
    },
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,  # a Markdown list, which the page would print unrendered
}

# ---- logs -----------------------------------------------------------------------------------------------------------
LOG_FORMAT = env.choice("LOG_FORMAT", default="text" if DEBUG else "json", allowed=("json", "text"))
LOGGING = logs.configure(LOG_FORMAT)
