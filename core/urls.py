"""Addresses of accounts, jobs and the API's reference."""

from django.urls import path

from core.views import account, api_reference, invitations, jobs

urlpatterns = [
    path("signin/", account.SignIn.as_view(), name="signin"),
    path("signout/", account.sign_out, name="signout"),
    path("account/", account.account, name="account"),
    path("account/keys/", account.reading, name="reading"),
    path("account/password/", account.password, name="password"),
    path("account/theme/", account.theme, name="theme"),
    path("account/tokens/", account.tokens, name="tokens"),
    path("account/tokens/<str:prefix>/revoke/", account.revoke_token, name="revoke_token"),
    path("language/", account.language, name="language"),
    path("invitation/<str:token>/", invitations.accept, name="invitation"),
    path("api-reference/", api_reference.api_reference, name="api_reference"),
    path("jobs/<int:pk>/", jobs.job, name="job"),
    path("jobs/<int:pk>/cancel/", jobs.cancel, name="cancel_job"),
]
