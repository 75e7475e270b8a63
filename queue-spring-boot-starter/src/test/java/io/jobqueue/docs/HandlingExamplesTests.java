package io.jobqueue.docs;

import java.math.BigDecimal;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionOperations;

import io.jobqueue.JobQueue;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The examples of the documentation handle jobs as it says.
 */
class HandlingExamplesTests extends ExampleTestBase {

	@Test
	void aHandlerLearnsTheIdOfItsJob() {
		run((context) -> {
			var receipt = context.getBean(JobQueue.class).enqueue(new InvoicePaid(4));
			await(() -> assertThat(context.getBean(Invoices.class).booked()).containsEntry(4L, receipt.id()));
		});
	}

	@Test
	void aRenamedTypeIsStillHandled() {
		run((context) -> {
			context.getBean(TransactionOperations.class).executeWithoutResult((status) -> {
				context.getBean(JobQueue.class).enqueue(new InvoicePaid(10));
				context.getBean(JdbcClient.class).sql("UPDATE jobqueue_job SET type = 'InvoicePayment'").update();
			});
			await(() -> assertThat(context.getBean(Invoices.class).booked()).containsKey(10L));
		});
	}

	@Test
	void aMapIsHandledByItsType() {
		run((context) -> {
			context.getBean(Cancellations.class).requestCancellation();
			await(() -> assertThat(context.getBean(Cancellations.class).cancelled()).containsExactly(42));
		});
	}

	@Test
	void callsOfAMethodAreJobs() {
		run((context) -> {
			context.getBean(Credits.Returns.class).accept(7, new BigDecimal("2.50"));
			context.getBean(Credits.Returns.class).acceptTomorrow(8);
			await(() -> assertThat(context.getBean(Credits.class).booked()).containsExactly("7 2.50 [returned]"));
			context.getBean(JdbcClient.class).sql("UPDATE jobqueue_job SET run_at = now()").update();
			await(() -> assertThat(context.getBean(Credits.class).booked()).contains("8 5 [late]"));
		});
	}

	@Test
	void severalPostcardsArePrintedInOneCall() {
		run((context) -> {
			context.getBean(JobQueue.class)
				.enqueueAll(List.of(new PostcardWanted("Rome"), new PostcardWanted("Atlantis 7"),
						new LetterWanted("Atlantis 8"), new LetterWanted("Oslo")));
			await(() -> assertThat(states(context, "PostcardWanted")).containsExactly("DEAD", "SUCCEEDED"));
			await(() -> assertThat(states(context, "LetterWanted")).containsExactly("DEAD", "SUCCEEDED"));
			assertThat(context.getBean(Postcards.class).printed()).containsExactly("Rome");
			assertThat(context.getBean(Postcards.class).taken()).containsValue("Oslo").hasSize(1);
		});
	}

	@Test
	void aRetryPolicyListensToTheException() {
		run((context) -> {
			context.getBean(JobQueue.class).enqueue(new InvoiceRefund(5));
			await(() -> assertThat(context.getBean(Bank.class).refunded()).containsExactly(5L));
		});
	}

	@Test
	void aPaymentIsChargedUnderTheIdOfItsJob() {
		run((context) -> {
			var receipt = context.getBean(JobQueue.class).enqueue(new CardPayment(1200));
			await(() -> assertThat(context.getBean(Deliveries.class).charged()).containsEntry(receipt.id(), 1200L));
		});
	}

	@Test
	void aBookingAndItsNoticeAreCommittedTogether() {
		run((context) -> {
			JdbcClient jdbc = context.getBean(JdbcClient.class);
			jdbc.sql("CREATE TABLE account (id integer, cents bigint); INSERT INTO account VALUES (1, 50)").update();
			context.getBean(JobQueue.class).enqueue(new Booking(1, 7));
			await(() -> assertThat(jobs(context, "BookingNotice")).isEqualTo(1));
			assertThat(jdbc.sql("SELECT cents FROM account").query(Long.class).single()).isEqualTo(57);
		});
	}

	@Test
	void anAlarmSounds() {
		run((context) -> {
			context.getBean(JobQueue.class).enqueue(new Alarm("north"));
			await(() -> assertThat(context.getBean(Deliveries.class).sounded()).containsExactly("north"));
		});
	}

	@Test
	void exceptionsDecideOnReports() {
		run((context) -> {
			JobQueue queue = context.getBean(JobQueue.class);
			List.of("sales", "sales", "weather").forEach((report) -> queue.enqueue(new ReportWanted(report)));
			await(() -> assertThat(states(context, "ReportWanted")).containsExactly("DEAD", "SUCCEEDED", "SUCCEEDED"));
			assertThat(context.getBean(JdbcClient.class)
				.sql("SELECT payload FROM jobqueue_jobs WHERE type = 'ReportWanted' AND state = 'DEAD'")
				.query(String.class)
				.single()).contains("weather");
		});
	}

	@Test
	void anImportAsksForMoreTime() {
		run((context) -> {
			context.getBean(JobQueue.class).enqueue(new Import(3));
			await(() -> assertThat(context.getBean(Deliveries.class).loaded()).containsExactly(0, 1, 2));
		});
	}

	@Test
	@Tag("slow") // waits for the delay of the example
	void aProductIsIndexedAsItIs() {
		run((context) -> {
			context.getBean(JdbcClient.class)
				.sql("CREATE TABLE product (id bigint, name text); INSERT INTO product VALUES (7, 'Cup')")
				.update();
			Products products = context.getBean(Products.class);
			assertThat(products.rename(7, "Mug").accepted()).isTrue();
			assertThat(products.rename(7, "Beaker").accepted()).isTrue();
			await(() -> assertThat(products.indexed()).isNotEmpty().last().isEqualTo("Beaker"));
		});
	}

	@Test
	void theFeedAnnouncesBookingsThatAreCommitted() {
		run((context) -> {
			JobQueue queue = context.getBean(JobQueue.class);
			queue.enqueue(new Alarm("south"));
			var receipt = queue.enqueue("bookings", new BookingNotice(1));
			await(() -> assertThat(context.getBean(Watchers.class).announced()).containsExactly(receipt.id()));
		});
	}

	@Test
	void aShopThatOpensFindsWhatHasBeenWaiting() {
		run((context) -> {
			JobQueue queue = context.getBean(JobQueue.class);
			Shops shops = context.getBean(Shops.class);
			queue.enqueue("shop-paris", new StockCounted("pears", 3));
			shops.open("paris");
			await(() -> assertThat(shops.stock()).containsEntry("pears", 3));
			shops.close("paris");
			shops.open("paris");
			queue.enqueue("shop-paris", new StockCounted("pears", 2));
			await(() -> assertThat(shops.stock()).containsEntry("pears", 2));
		});
	}

	@Test
	void aLabelIsPrintedWhenThePrinterIsFree() {
		run((context) -> {
			context.getBean(JobQueue.class).enqueue("labels", new LabelWanted(7));
			assertThat(context.getBean(Parcels.class).printNext()).isTrue();
			assertThat(context.getBean(Parcels.class).done()).containsExactly(new LabelWanted(7));
			context.getBean(JobQueue.class).enqueue("labels", new LabelWanted(-1));
			assertThat(context.getBean(Parcels.class).printNext()).isTrue();
			assertThat(states(context, "LabelWanted")).containsExactly("RETRYING", "SUCCEEDED");
		});
	}

	@Test
	void parcelsAreAssignedWhileAWorkerIsFree() {
		run((context) -> {
			JobQueue queue = context.getBean(JobQueue.class);
			queue.enqueue("labels", new LabelWanted(1));
			queue.enqueue("pickups", new PickupWanted(2));
			queue.enqueue("pickups", new PickupWanted(3));
			Parcels parcels = context.getBean(Parcels.class);
			IntStream.range(0, 3).forEach((turn) -> parcels.assignNext());
			assertThat(parcels.done()).containsExactly(new LabelWanted(1), new PickupWanted(2));
			assertThat(states(context, "PickupWanted")).containsExactly("READY", "SUCCEEDED");
		});
	}

}
