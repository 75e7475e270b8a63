package io.jobqueue.docs;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Stands for whatever an example does with the outside.
 */
class Mailbox {

	private final Set<Long> recipients = ConcurrentHashMap.newKeySet();

	void send(String subject, long userId) {
		this.recipients.add(userId);
	}

	Set<Long> recipients() {
		return this.recipients;
	}

}
