-- Messages that the tutor writes to one or many families.
alter table messages
  drop constraint messages_kind_check,
  add constraint messages_kind_check check (kind in
    ('lesson_reminder', 'lesson_change', 'payment_reminder', 'invoice', 'receipt', 'payment_update', 'custom')) not valid;
