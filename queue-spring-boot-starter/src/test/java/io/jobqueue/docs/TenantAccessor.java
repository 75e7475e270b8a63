package io.jobqueue.docs;

import io.micrometer.context.ContextRegistry;

/**
 * Makes the tenant known to Micrometer's context propagation.
 */
final class TenantAccessor {

	private TenantAccessor() {
	}

	static void register() {
		ContextRegistry.getInstance()
			.registerThreadLocalAccessor("tenant", Tenant::current, Tenant::set, Tenant::clear);
	}

}
