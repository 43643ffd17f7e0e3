-- no-transaction
create index concurrently charges_written_off_idx on charges (tutor_id, family_id) where written_off > 0;
