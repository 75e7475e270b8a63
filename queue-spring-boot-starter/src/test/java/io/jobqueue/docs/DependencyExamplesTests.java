package io.jobqueue.docs;

import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ContextConsumer;

import io.jobqueue.JobInfo;
import io.jobqueue.JobOperations;
import io.jobqueue.JobQuery;
import io.jobqueue.docs.PriceImports.PriceRow;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The examples of jobs that wait for others, and of batches.
 */
class DependencyExamplesTests extends ExampleTestBase {

	@Test
	void parcelIsSentAfterBoth() {
		runShipping((context) -> {
			Shipping shipping = context.getBean(Shipping.class);
			shipping.place(42);
			await(() -> assertThat(shipping.steps()).hasSize(3).endsWith("parcel"));
		});
	}

	@Test
	void refundAndParcelDoNotNeedThePayment() {
		runShipping((context) -> {
			Shipping shipping = context.getBean(Shipping.class);
			shipping.place(-1);
			await(() -> assertThat(states(context, "CapturePayment")).containsExactly("DEAD"));
			shipping.refund(-1, job(context, "CapturePayment"));
			await(() -> assertThat(shipping.steps()).contains("refund"));
			assertThat(states(context, "SendParcel")).containsExactly("BLOCKED");
			shipping.shipAnyway(job(context, "SendParcel"));
			await(() -> assertThat(shipping.steps()).contains("parcel"));
		});
	}

	@Test
	void importIsReportedWhenAllPricesHaveEnded() {
		runImports((context) -> {
			PriceImports imports = context.getBean(PriceImports.class);
			UUID batch = imports.importPrices(7, List.of(List.of(new PriceRow("tea", 390), new PriceRow("mate", -1)),
					List.of(new PriceRow("coffee", 450))));
			await(() -> assertThat(imports.reports()).containsExactly("File 7: 1 of 3 prices failed"));
			assertThat(imports.percent(batch)).isEqualTo(100);
		});
	}

	@Test
	void catalogIsPublishedAfterItsRows() {
		runImports((context) -> {
			PriceImports imports = context.getBean(PriceImports.class);
			imports.importCatalog(8);
			await(() -> assertThat(imports.reports()).containsExactly("File 8 is published"));
			assertThat(states(context, "PriceRow")).containsExactly("SUCCEEDED", "SUCCEEDED");
		});
	}

	private void runImports(ContextConsumer<AssertableApplicationContext> test) {
		this.contextRunner.withUserConfiguration(PriceImports.class).run(test);
	}

	private static UUID job(AssertableApplicationContext context, String type) {
		return context.getBean(JobOperations.class)
			.list(JobQuery.all().type(type))
			.jobs()
			.stream()
			.map(JobInfo::id)
			.findFirst()
			.orElseThrow();
	}

	private void runShipping(ContextConsumer<AssertableApplicationContext> test) {
		this.contextRunner.withUserConfiguration(Shipping.class).run(test);
	}

}
