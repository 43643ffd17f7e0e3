-- Sessions get a Google Meet link with their calendar event. The place is then 'Google Meet'.
alter table lessons add column uses_google_meet boolean not null default false;
