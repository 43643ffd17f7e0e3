-- no-transaction
-- A sign-up and an email change look up whether another tutor can still restore the address.
create index concurrently email_tokens_revert_idx on email_tokens (lower(email))
  where purpose = 'revert-email' and used_at is null;
