-- The Google Meet conference of an event, as last known; null if it has none.
alter table calendar_events add column conference_status text;
-- Not valid, because no row has a status yet.
alter table calendar_events add constraint calendar_events_conference_status_check
  check (conference_status in ('pending', 'created', 'failed')) not valid;
-- Part of the id of the request for a conference. Incremented when a conference was removed or failed, because Google ignores
-- a request with the same id.
alter table calendar_events add column conference_number integer not null default 0;
-- While a conference is pending: how often it was read, and when it is read again.
alter table calendar_events add column conference_checks integer not null default 0;
alter table calendar_events add column conference_check_at timestamptz;
