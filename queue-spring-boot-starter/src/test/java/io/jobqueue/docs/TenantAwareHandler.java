package io.jobqueue.docs;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.jobqueue.JobHandler;

/**
 * Notes whom it works for.
 */
@JobHandler(queue = "notices")
class TenantAwareHandler {

	private final List<String> tenants = new CopyOnWriteArrayList<>();

	void handle(BookingNotice notice) {
		this.tenants.add(String.valueOf(Tenant.current()));
	}

	List<String> tenants() {
		return this.tenants;
	}

}
