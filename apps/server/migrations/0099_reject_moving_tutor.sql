-- These tables are also written before the tutor is known; all others only in a transaction of the tutor.
create trigger login_directory_reject_moving before insert or update or delete on login_directory
  for each row execute function reject_moving_tutor();
create trigger logins_reject_moving before insert or update or delete on logins
  for each row execute function reject_moving_tutor();
create trigger email_tokens_reject_moving before insert or update or delete on email_tokens
  for each row execute function reject_moving_tutor();
create trigger identities_reject_moving before insert or update or delete on identities
  for each row execute function reject_moving_tutor();
create trigger passkeys_reject_moving before insert or update or delete on passkeys
  for each row execute function reject_moving_tutor();
create trigger public_links_reject_moving before insert or update or delete on public_links
  for each row execute function reject_moving_tutor();
create trigger shared_links_reject_moving before insert or update or delete on shared_links
  for each row execute function reject_moving_tutor();
create trigger stripe_account_index_reject_moving before insert or update or delete on stripe_account_index
  for each row execute function reject_moving_tutor();
create trigger calendar_channels_reject_moving before insert or update or delete on calendar_channels
  for each row execute function reject_moving_tutor();
create trigger tenant_schedule_reject_moving before insert or update or delete on tenant_schedule
  for each row execute function reject_moving_tutor();
