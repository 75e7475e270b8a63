package io.jobqueue.docs;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.stereotype.Component;

import io.jobqueue.JobHandler;
import io.jobqueue.RetryDecision;
import io.jobqueue.RetryPolicy;

/**
 * A handler with a retry policy of its own.
 */
@Component
class Refunds {

	private final Bank bank;

	Refunds(Bank bank) {
		this.bank = bank;
	}

	@JobHandler(queue = "invoices", retryPolicy = "politely")
	void handle(InvoiceRefund refund) {
		this.bank.refund(refund.invoiceId());
	}

	/**
	 * Where the policy is defined.
	 */
	@Configuration(proxyBeanMethods = false)
	static class Policies {

		@Bean
		RetryPolicy politely() {
			return (failure) -> (failure.exception() instanceof TooManyRequests busy)
					? RetryDecision.retryIn(busy.retryAfter()) : RetryDecision.giveUp();
		}

	}

}
