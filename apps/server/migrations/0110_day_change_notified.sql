-- Whether the families were notified of the change of this session, because days can be added to a change without messages. Null
-- for sessions changed before; day_changes.notifies_families then applies.
alter table day_change_sessions add column is_notified boolean;
