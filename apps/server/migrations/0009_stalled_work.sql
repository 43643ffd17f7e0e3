-- The daily sweep for rows that wait for a job which no longer exists: tutors who signed up before it was introduced.
insert into tenant_schedule (tutor_id, kind, next_due_at)
select tutor_id, 'stalled-work', now() + interval '1 day' * (1 + random()) from login_directory where not is_demo
on conflict do nothing;
