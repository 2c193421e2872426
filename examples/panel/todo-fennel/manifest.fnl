{:name :todo :description "A to-do list that the model keeps and you watch"}
