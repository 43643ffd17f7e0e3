-- no-transaction
-- The navigation counts the messages that the tutor still has to send, including those that failed.
create index concurrently messages_failed_idx on messages (tutor_id, id) where state = 'failed';
