-- Links that restore an earlier email address, and that request and cancel the removal of two-step login.
alter table email_tokens
  drop constraint email_tokens_purpose_check,
  add constraint email_tokens_purpose_check
    check (purpose in ('verify-email', 'reset-password', 'revert-email', 'remove-two-step', 'keep-two-step')) not valid;
