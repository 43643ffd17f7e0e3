-- What is kept no longer than it serves.

-- Wrong passwords since somebody last came in, told to the tutor at the next login. By tutor, or by a hash of a name that
-- nobody has, so that both take the same time. Like the rate limits it may be lost in a crash.
create unlogged table failed_logins (
  subject text primary key,
  count integer not null,
  last_at timestamptz not null
);
create index failed_logins_by_time on failed_logins (last_at);
grant select, insert, update, delete on failed_logins to lessonbook_app, lessonbook_maintenance;

-- The log of acts is kept for two years. Until then the application cannot take an entry out: the database counts the years
-- itself.
create policy kept_two_years on audit_log as restrictive for delete to lessonbook_app
  using (at < now() - interval '2 years');
grant delete on audit_log to lessonbook_app;

-- Whoever is in the book already is looked at from now on.
insert into agenda (tutor_id, kind, next_due_at)
select tutor_id, 'forget-traces', now() from directory;
