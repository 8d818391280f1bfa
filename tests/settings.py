"""Settings of the tests: the product's, with a data folder for this run, plain static files, quick password hashing."""

import atexit
import os
import shutil
import tempfile

os.environ["DATA_DIR"] = tempfile.mkdtemp(prefix="colloquy-tests-")
atexit.register(shutil.rmtree, os.environ["DATA_DIR"], ignore_errors=True)

from config.settings import *  # noqa: E402, F403
from config.settings import DATA_DIR, DATABASES, STATIC_ROOT, STORAGES  # noqa: E402

STATIC_ROOT.mkdir()  # whitenoise warns if it is missing

if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"]["TEST"] = {"NAME": str(DATA_DIR / "test.sqlite3")}  # a file, as in the product
else:
    DATABASES["default"]["OPTIONS"].pop("pool")  # its threads keep connections, and a database in use cannot be dropped

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
