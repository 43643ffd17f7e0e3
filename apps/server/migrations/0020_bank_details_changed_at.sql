-- When the bank details last changed. The tutor sees it for a day, because a stranger may have changed them.
alter table business_settings add column bank_details_changed_at timestamptz;
