-- The hour in the tutor's time zone at which families are emailed new notes; null for no emails.
alter table tutors add column note_email_hour integer default 18;
