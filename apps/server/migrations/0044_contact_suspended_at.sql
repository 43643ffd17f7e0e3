-- A suspended contact cannot use the family portal; they are not notified.
alter table contacts add column suspended_at timestamptz;
