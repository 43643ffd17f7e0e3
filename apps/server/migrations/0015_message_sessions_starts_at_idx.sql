-- no-transaction
create index concurrently message_sessions_starts_at_idx on message_sessions (tutor_id, session_starts_at);
