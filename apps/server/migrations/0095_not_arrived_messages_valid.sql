alter table messages validate constraint messages_kind_check;
