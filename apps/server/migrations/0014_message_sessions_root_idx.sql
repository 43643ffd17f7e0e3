-- no-transaction
create index concurrently message_sessions_root_idx on message_sessions (tutor_id, root_session_id);
