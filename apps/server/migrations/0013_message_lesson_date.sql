-- The day whose lessons a lesson reminder lists; null for other kinds and for reminders created by the release before.
alter table messages add column lesson_date date;
