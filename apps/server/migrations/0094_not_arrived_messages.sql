-- Messages that a student has not arrived for a lesson that is going on.
alter table messages
  drop constraint messages_kind_check,
  add constraint messages_kind_check check (kind in
    ('lesson_reminder', 'lesson_change', 'payment_reminder', 'invoice', 'receipt', 'payment_update', 'custom',
     'lesson_notes', 'not_arrived')) not valid;
