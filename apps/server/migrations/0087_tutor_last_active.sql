-- When the tutor last used Lessonbook. Reminders to families stop after three weeks without the tutor.
alter table login_directory add column last_active_at timestamptz not null default now();
