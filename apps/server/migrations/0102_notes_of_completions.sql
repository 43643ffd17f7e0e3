-- Set if completing the session shared this version, so that undoing the completion withdraws it.
alter table lesson_notes add column shared_by_completion boolean not null default false;
