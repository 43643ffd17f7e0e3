-- Emails with the notes of a day.
alter table messages
  drop constraint messages_kind_check,
  add constraint messages_kind_check check (kind in
    ('lesson_reminder', 'lesson_change', 'payment_reminder', 'invoice', 'receipt', 'payment_update', 'custom',
     'lesson_notes')) not valid;
