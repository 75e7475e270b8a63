package io.jobqueue.internal.logging;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class EditDistanceTests {

	@ParameterizedTest
	@CsvSource({ "emails,emails,0", "email,emails,1", "emials,emails,1", "emial,emails,2", "'',emails,6", "emails,'',6",
			"a,b,1", "ab,ba,1", "sitting,kitten,3" })
	void editsAreCounted(String one, String other, int distance) {
		assertThat(EditDistance.between(one, other)).isEqualTo(distance);
		assertThat(EditDistance.between(other, one)).isEqualTo(distance);
	}

	@Test
	void nearestIsTheFirstOfThoseThatAreEquallyNear() {
		assertThat(EditDistance.nearest("emial", List.of("invoices", "emails", "emaill"))).contains("emails");
		assertThat(EditDistance.nearest("emial", List.of())).isEmpty();
	}

	@Test
	void onlyASimilarNameIsSuggested() {
		assertThat(EditDistance.meant("emial", List.of("why", "emails"))).contains("emails");
		assertThat(EditDistance.meant("billing", List.of("why"))).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "emials,emails,true", "email,emails,true", "e-mails,emails,true", "reportz,reports,true",
			"mails,emails,true", "farewels,farewells,true", "okay,ok,false", "eu,us,false", "ok,od,false",
			"mail,fail,true", "cards,carts,true", "shard-1,shard-2,false", "shard-1,shard-12,false",
			"shrad-1,shard-1,true", "invoices,payments,false", "orders,orders-eu,false", "email,emial,true",
			"emial,emails,true", "oder,order,true", "ordr,odr,true", "cart,card,true", "carts,crads,false",
			"emails,emails2,false", "emails,emails-2,false", "emails_1,emails-2,false", "emial2,emails,true",
			"orders-de,orders-fr,true", "17,18,false" })
	void misspellingIsOneOrTwoEditsAway(String one, String other, boolean near) {
		assertThat(EditDistance.isMisspelling(one, other)).isEqualTo(near);
		assertThat(EditDistance.isMisspelling(other, one)).isEqualTo(near);
	}

}
