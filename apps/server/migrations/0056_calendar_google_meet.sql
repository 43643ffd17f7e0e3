-- Whether the Google account can create Meet links; null if not known.
alter table calendar_connections add column allows_google_meet boolean;
