-- Pauses that were running when pauses got rows of their own have no end yet: `greatest` takes a missing end for none and gave them their beginning.

update subscription_pause p set until_at = null from subscription b
  where b.id = p.subscription_id and b.state = 'paused' and p.is_begun and not p.is_over and p.until_at = p.from_at;
