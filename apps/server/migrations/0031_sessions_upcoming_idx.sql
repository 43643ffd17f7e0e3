-- no-transaction
-- The list of students shows the next session of each of their lessons.
create index concurrently sessions_lesson_upcoming_idx on sessions (tutor_id, lesson_id, starts_at) where status = 'scheduled';
