-- What a message said about a session is the basis of the next message to the same person. Nullable, because the previous
-- release does not write these columns; rows without them are not compared with the schedule.
alter table message_sessions
  -- 'c12' for a carer, 's5' for a student.
  add column recipient text,
  -- The first session of a chain of moves. It identifies the session through its moves; its public id is the UID in calendars.
  add column root_session_id integer,
  add column root_public_id text,
  -- The time that the message gives, also when it says that the session does not take place.
  add column session_starts_at timestamptz,
  add column session_ends_at timestamptz;
