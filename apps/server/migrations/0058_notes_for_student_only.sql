-- The notes of a student of 16 or over may be for the student alone: no other contact sees them.
alter table students add column notes_for_student_only boolean not null default false;
