-- Time off of a student without an end, because the student leaves: it cancels the lessons after the last day. Not a pause, and
-- removed if the student comes back.
alter table time_off add column is_departure boolean not null default false;
