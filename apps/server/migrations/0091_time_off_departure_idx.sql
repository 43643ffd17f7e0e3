-- no-transaction
-- A student leaves at most once at a time.
create unique index concurrently time_off_departure_idx on time_off (tutor_id, student_id) where is_departure;
