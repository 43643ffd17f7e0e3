-- no-transaction
-- The dashboard shows the few payers who reported a transfer; without it every call reads all accounts of the tutor.
create index concurrently families_transfer_claimed_idx on families (tutor_id, transfer_claimed_at)
  where transfer_claimed_at is not null;
