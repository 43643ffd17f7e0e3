-- When the tutor opened the family portal; null while it is closed.
alter table tutors add column portal_opened_at timestamptz;
