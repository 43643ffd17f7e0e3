-- The installation to which a move goes, as the database cluster and the database in it. Only it may continue the move. On the
-- target, and in records from before this column, it is null.
alter table tutor_moves add column target_id text;
